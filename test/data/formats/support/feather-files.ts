import { gunzipSync } from 'node:zlib';

/** Files that pandas 3 and pyarrow wrote, of made-up numbers: gzip as base64. */
const packed = {
  /** Candles with dates in milliseconds, packed by lz4, as Freqtrade writes them. */
  candles:
    'H4sIAAAAAAACA+1XQWsTQRR+abYxlCARCgb0EAYvYo2NCaF4MUXoTdSi9VBKOm227dLNbtjdVNMYCK2iBw/9CR48iCe9eQz+gp48' +
    '9+DBowevUt+bmWw2k8RTxEsGNjPv+17e+3by5jFZXl198DQPcI7jwyxAGmjMwUVIwCwkcYUjZoR4Cj8NhRcNWiOND+FJ/CQuSbbi' +
    'fscBWsxyqubzyrZrN2qOz+5k11tsHzFcMY87uyZbyDKH10wEnIZto+UH3AvQXBRrt47LgliatMy3N9CQ8SoiuKnCDkbZsUy7WhnE' +
    '6typcr8SNOsEsoZjbbtVqaBRqzdDwg88AmtmwKs84Ai1mOmgr+XsEv/k8crNJdaOKBmUwPBbIuyAiBDVZBAcWJjscFhJjysV12v+' +
    'xpAoog5dx5Si7qGkhWxfhVs3nWEVPVRTsWO7PCgVhyVEiEhu2tGBZHvW7t5wsh464WS2+2w4lwInnGrbdv0Rv2UITzjdAZXTiHx9' +
    'fAIJqW55EHjWViMQp6fVpkr2TB64nigs29ryuNekOPUm9zy5tQem51uuQ+jtUm4xl2ftvqAIWcjlicMekMBH8nJtYMPo4nyCT5X6' +
    'CMhecQ17EHaTOPWajMJAfV++OsCa8JmBh2N8sYWB+FlwPlK+LyK+8xFfbE2A9QIfld/7MTFpphqm9Tflexrxvar50uEi1Ul8EgKd' +
    'wf45L+wLolOmVT+NzdGc1b5P5x1UP02ofkpd1lCa8ZCLfv0mJt8HRP/NqI6dEhkgbghd2RiEI4VIWnRo6fNDaZ9XcSHUYIhcKRg/' +
    'cmpe1PCefUvNmxq/qfEnGn+i8V2N72r8T43v2TciWEJ7P/gHdqa3d+x+ZrN8dBmXn+HXo69vcf/PXq8lodO9si6skf5odgo44kff' +
    'ywR/UvPZsZxH+e/gWFF856Wcu6/G+wu+o3gVv3z8d39dR3ZMfCqhS1ii7Ho5Ce/mpA+c3Q3351ycF3m/SGHFJUQVplWNGbBE5x/6' +
    '94kvs6oe1I5F63h6D5neQ6b3kOk9ZHoP+f/3kFN80WXxH/IPaVN3D0oOAAA=',
  /** The same with dates in nanoseconds, packed by zstd. */
  futures:
    'H4sIAAAAAAACA+1Xv2/TUBC+NE4aRRHKUKkZELIsBpBKSGhVVV1ohdQVVPFjKFXqNm5r4diW7RTSEKlqYc/IjBBCTAwgdQwjWycG' +
    'pg78Af0HqnL33iV1XhpYIrHkSc7d+77zu8/2vdPL8urqw2dlgAscn1IAeaCRhWuQhhRk0MOR0Hp4Dn81xuc08pHGi/AM/hKXoTlz' +
    '50mApmG7VetVZctz6jU3NBb1tabxAjH0jMB0dyxjRjdcs2Yh4NYdB2dhZAYRTkvC93x0Z4VrkVtureNErlcRi1u8bP8q27blVCv9' +
    'mG+6VTOsRA2fQKPu2lteVSqo1/xGjwijgMCaFZlVMzIRahqWi7G2u0P8k8crdxaMVkxJvwQD7xLL9onooYoMgiMbk+0PKuly83Nr' +
    'brg+IIqofc+1pKgHKGlGv1Th+ZY7qKKLKiq2Hc+M5ucGJcSIWG56o33Jdu2d3cFkXXTEyRzv5WAuBkecasvxwiu+ZQ8ecbo9Kqcr' +
    '8l3iI0hIdWtGUWBv1iOxe5otquTAMiMvEIXl2JuBGTRoHb9hBoF8tXtWENqeS+i9+WKpWDZal4Ji5GyxTBz2gDRekpe+hg2jg7aN' +
    'V5X6CMhecRN7EHaTJPWaAmPA98tHB3gqYibg0ZBYbGEgPgvaQ459HYudisViawKsF/jMcR+GrEmWapj8nxx7Eou9rsTS5iLVGbzS' +
    'Ap3A/jkl5pOiU+a5nyayZHXlftrvwP00zf2U1GqsGTe56NfthHweEP23wB07JzJAUhO69AT0Rg5uYF6tF3NG75yfNQnxQVknWTsk' +
    'cjB83GZbUvCSwm8o/IbCtxW+rfAdhe8o/JnCnyl8t46SStyo5wW2t77dPdcL38m1EtP5j9Nw/OPXc7J+8et7skPiZ3EkD38vEfiF' +
    '7emRtFfFb+NYYf7gjbSdt8PjBX/APK+/dPT3eFWH/o/18bUzn2V7ep+JC7Fv5Dkjh9WbFtWYlzWLtbnANdk9Vxyn5H3vuI7j9Tw+' +
    'j4zPI+PzyPg8Mj6P/P/zyAk+6LL4L/kHXiJYT1IOAAA=',
  /** Trades as Freqtrade writes them. */
  trades:
    'H4sIAAAAAAACA+1Xz2sTQRSeTdJklVAizSGCSFmE5hBL0pZSvDS9iBdRi2JBJW6y27q6v9idqCEEQk8Kgtfqn+DJg4ceRfwbxIOH' +
    'Hjx47EH0WN+bmSS7k03tobdmYPLefO/b997MzrydbGxu3rpfI+QIWilLSIFgO09mSZbMEBU0aEpmiOfhNyPwfgZ1MENHXIVftKmg' +
    'bwnbDfjpapZrmC8bLc9uO26oXZt/0NWeAQaaFujujqlV5jVXd0wA3LZtwyikekBhWGW654O6xFQT1VrvEQy4vwZzbgq3cS/blmkb' +
    'jTjm666hhw3a8RHU2q7V8gyeQdvxO0NDSAMEHZPqhk51gLqa6QLXcnfQfu/u9atrWi+SSTwFjVqOCdNwfE3OJG6SErJcuroyns4Q' +
    'jiSEM+pV5kchLWM8FsekIF7zqdmiJ5n0WAxGHZ+RQKU4puPTzniYUfjjIoWWkRBpgJ7ejPzAaiUEGsJSpG3b0xNfUcRwXDjd8dou' +
    'HY83wk85YMsLE8IN0FMIhkdApzSwmm3KDmK3h4ciMHXqBezg2FYz0IMOW9aOHgTeC/Tz3AxCy3MRXVpdrC7WtN4ooYhxebGGNqxA' +
    'UKIIJxCSA70CxecQ5Ffoe9AN6CuE1x4salCd0li7SgNMSJw96h8YJ0UqE7gYj78YQr4J7laEeynCncHccNPAUyr0LENT5BXnF5Py' +
    'wN2M+ifgfOQ8JYmHbwH1H8D5PsFfCrpl4DjDsAIpsjxyrDoXRA1XUiivRJ47h/4HFUnUcRWeUrlZqfOlPNqHtS6KZ/IQmX8h8sw7' +
    'SWfYWlQVMmx5QArsi8A5qsLXqyhyJcP58XxnyeS2IGRZwsuSvC3kRSF9ie9L/D0hLwu5L/H3pfgHkv1AsqtK3D4YL0SwnDR/csw4' +
    '9R/7SceFwVprN0uP67sw7Hd/3/nyBtL79ZdL1kpx3gVQ5+ADP6eopJ9K8C94MOzXliL2SX7S4CcnrUWEB8N+s90JTduemPcytPTu' +
    'z/o2tCzISbz377C9XueGw/VJvD/lh29TT/pxf0fsjHF+HnZslu3iAt/rsFvXImcI167MDzv5LBayGtsH03vT9N40vTdN703Te9NZ' +
    'uzfVYTIb7D/2P+MaE01qDwAA',
  /** Six candles in batches of two. */
  batches:
    'H4sIAAAAAAACA+1Yz2sTQRR+adJ0G6tG6KEH0e0q2kIpjak9eOkWUbxIQ1FbKKVum40NbDYh2dT+MBDSBvTWP6EHQRAP+RMqgngU' +
    'BL0W6aHHHr3V92Znku0k23pIBSUTZufN+97bN7vzvbe7mZqZmZ6NARxj+xUCiAK1CFyCMHSDghK2QKiu78NjiOvLQZIRxk56BY+E' +
    'KSjPcewRjpta2k6aa4vLWauYsQvaPXV+YUTV3Okiw0xJy6abmm1kTJS0pOGYGoKptGklF2VtzrCTRmHRWc/V1U46YzobBNrFTG69' +
    'CZsYny8WFghHOwO1BqKbGkEbWZuZPn1yXyuVRtTGKrI5025ehdBKq0hZWcOZGG9eggfwxLaLlnUi2Er6xUpzMKFtczAr+7I5Fle2' +
    'OdSylS202Mu6us3hVolOLeI19G0ISLw1HCefXio6jMmbJWJy3jScbJ4Ry0ov5Y38Op0nt27k8+6tXTXzhXTWJu2didGx0ZhWaizI' +
    'A8ZHY4RRBoaxuwauHMLk28NxB3sS+zi4eXcT8xkzM0h5O8B1wt+9doBnzKYLEj623djZvuBY4bavPLb9HltMc0DCwHtu99bnnDQS' +
    'iUn+zm2/emyvSraUXbRqBXuYabuwFvWzeQ+rOlFemwIRGlXJnxIeeG0K89pE5wjxNWOWMw3Vv9cB95qA1bMBXgH7WBQIhtja5gJQ' +
    'b32oibKK59oc8vX3swiNFmI/t0b6NV0aZf1dPq5JuJhP8LEm4TXJ/1DCDyVcDZzExTzu0YWl64NzmI+Je6c9HniuV4ZR/AjqYPTH' +
    'RYz+qUtTIJY6iOOx9/MDPH54N6tAbvpNmuHN/tdQ/BbHFqwcsFtaU2B6f+tAR24mgITWca+j+DOF7SE3KW+j416VO5IAfvHKNN8r' +
    'H+gKaFDBg76lwIUBdNN949X9ahXmt48umlrlfmrVz49odwUfxIPDeg/cgAi5Tkahl7wA9ifr9/VPeX4E58Pz23wckvRDEp6Q8ISE' +
    '++WBwHclfFfCv0i4mN/6yzyPntzHKG0/EpvRGKkt6NzSjnYWmeSltZ8dEdVLYz87wUyi7Wl2gok1n7iXOR93BfWG9Q7//hX+YTFl' +
    'vPOUUz8eiP3fP4NX5W3Oq+rpdsDPp59xPhFPrZ7BvwjnneDhMXvXcO37kEFhxqoo50wILHrG83cHej9Qul2/Hf4cFM//o56TesHX' +
    'XKS1vtE631Cdb6jON1TnG+r/+oZK4IVOsf+SfgNp39M8UhIAAA==',
};

/** The bytes of such a file. */
export function featherFile(name: keyof typeof packed): Buffer {
  return gunzipSync(Buffer.from(packed[name], 'base64'));
}
