import type { Row } from './row.ts';

/** Security tests: keys, the right to order, the journal and strategies are what is protected. */
export const securityRows: readonly Row[] = [
  {
    id: 'Q1',
    holds:
      'A key with a mark goes through a whole session at full log. The mark is in nothing that is written or answered.',
    limit: '0 hits in eight forms, 0 runs of 8 characters',
    where: ['core/base/secret.ts', 'app/process/logger.ts'],
    tests: [
      'venues/hitbtc/client/live-venue.test.ts: no secret is in a recorded frame',
      'app/cli/incident.test.ts: an archive holds configuration, strategy, journal, frames and logs, and no secret',
      'app/cli/launcher.test.ts: holds no secret and opens no inspector, started by the program itself',
      'app/cli/launcher.test.ts: stops in good order when the process that trades is asked to, with no secret in its environment and no inspector',
      'app/canary.test.ts: writes, prints and answers neither key nor secret, in whatever form',
      'app/canary.test.ts: ends in a sentence without them where the venue does not take the key',
      'app/canary.test.ts: would be seen: each form is found in a text that has it',
    ],
  },
  {
    id: 'Q2',
    holds:
      'A secret is hidden when it is printed, inspected, written as JSON, joined to a text, or a cause of an error.',
    limit: '0 hits',
    where: ['core/base/secret.ts'],
    tests: ['core/base/secret.test.ts: a secret shows itself only when it is asked for'],
  },
  {
    id: 'Q3',
    holds:
      'Signatures are those of known vectors. The exchange refuses used nonces, old stamps and wrong fields.',
    where: [
      'venues/hitbtc/wire/hmac.ts',
      'venues/hitbtc/wire/rest-auth.ts',
      'venues/hitbtc/wire/socket-auth.ts',
    ],
    tests: [
      'venues/hitbtc/wire/auth.test.ts: sign method, path, query, body, timestamp and window',
      'venues/hitbtc/wire/auth.test.ts: hold for ten seconds around their time, or for their window',
      'venues/hitbtc/wire/auth.test.ts: v2 signs a nonce, which counts once',
      'exchange/socket-v2.test.ts: login by signed nonce, which counts once',
      'venues/hitbtc/client/rest/rest.test.ts: are never shown as Basic to another machine',
    ],
  },
  {
    id: 'Q4',
    holds: 'Every path of the interface without the right token is answered with 401 and nothing else.',
    where: ['operate/access.ts'],
    tests: [
      'operate/access.test.ts: every path without a token, with a wrong, an empty, a longer one or that of an earlier run: 401, and nothing is said',
      'operate/access.test.ts: an address that others reach needs a certificate, a token needs its length, two tokens differ',
    ],
  },
  {
    id: 'Q5',
    holds: 'A foreign name of the host is refused before anything is looked at.',
    where: ['operate/access.ts'],
    tests: [
      'operate/access.test.ts: another host (a rebound name) and another origin are refused before anything is looked at',
    ],
  },
  {
    id: 'Q6',
    holds: 'A foreign origin is refused, no cookie is a token, and no GET changes anything.',
    where: ['operate/access.ts'],
    tests: [
      'operate/access.test.ts: a cookie is no token, an upgrade is no way around, and no GET changes anything',
      'operate/access.test.ts: a page of another site, or of another port, causes no request; whoever follows its link gets the page',
      'operate/access.test.ts: answers say no secret, forbid framing and sniffing, and allow no other origin',
    ],
  },
  {
    id: 'Q7',
    holds: 'Only this machine reaches the interface. Another address needs a certificate and a token.',
    where: ['operate/options.ts', 'operate/server.ts'],
    tests: [
      'operate/access.test.ts: nobody but this machine reaches it unless the configuration says so',
      'operate/access.test.ts: an address that others reach needs a certificate, a token needs its length, two tokens differ',
    ],
  },
  {
    id: 'Q8',
    holds:
      'Tokens are compared in constant time. Ten wrong ones in a minute lock wrong ones, never the right one.',
    where: ['operate/access.ts'],
    tests: [
      'operate/access.test.ts: ten wrong tokens in a minute lock wrong ones of that address for as long; none is no guess, and the right one is always served',
      'operate/access.test.ts: a thousand addresses with wrong tokens free none of them of its lock',
    ],
  },
  {
    id: 'Q9',
    holds: 'The page allows no script but its own, and shows hostile names as text.',
    limit: '0 executed',
    where: ['operate/page-files.ts'],
    tests: [
      'operate/page.test.ts: a hostile name is text',
      'operate/page.test.ts: need no token, weigh at most 250 kB as they are sent, and name no other host',
      'operate/access.test.ts: answers say no secret, forbid framing and sniffing, and allow no other origin',
    ],
  },
  {
    id: 'Q10',
    holds: 'A secret file that others can read refuses the start. What we make is for its owner alone.',
    where: ['app/config/secrets.ts', 'core/journal/start-directory.ts'],
    tests: [
      'app/config/load.test.ts: comes from the environment or from a file that others cannot read',
      'core/journal/disk-journal.test.ts: is readable by its owner alone',
      "app/run-directory.test.ts: one that is made is nobody else's, one that is there keeps its rights",
    ],
  },
  {
    id: 'Q11',
    holds: 'Names lead out of a folder, are too long or hold a NUL. Nothing is written outside.',
    limit: '0 bytes outside',
    where: ['data/frames/recorder.ts'],
    tests: [
      'app/cli/incident.test.ts: an archive that is none, is cut short, or names a place outside is refused with one sentence',
      'app/kept-runs.test.ts: a name for a run is no path and no hash',
    ],
  },
  {
    id: 'Q12',
    holds: 'YAML with aliases, merge keys, deep nesting or more than 1 MiB is refused.',
    limit: '100 ms, 50 MiB',
    where: ['core/config/parse-yaml.ts'],
    tests: [
      'app/config/load.test.ts: %j ends in one sentence',
      'app/config/load.test.ts: refuses more than 1 MiB quickly',
      'reliability/hostile.test.ts: YAML with %s is refused in 100 ms and 50 MiB',
    ],
  },
  {
    id: 'Q13',
    holds:
      'Unknown keys, texts for numbers or switches, and numbers in other forms are refused by their path.',
    where: ['core/config/layers.ts', 'core/base/members.ts'],
    tests: [
      'app/config/load.test.ts: refuses an unknown key with its path and the nearest known name',
      'venues/options.test.ts: unknown client options are refused',
      'app/config/load.test.ts: %j ends in one sentence',
    ],
  },
  {
    id: 'Q14',
    holds: 'Every pattern of the sources is tried on 100 KiB of hostile text.',
    limit: '10 ms',
    where: ['core/base/number-text.ts', 'core/strategy/thrown.ts'],
    tests: [
      'reliability/patterns.test.ts: no pattern of the sources takes longer than 10 ms on 100 KiB of hostile text',
    ],
  },
  {
    id: 'Q15',
    holds: 'Messages above the limit of a socket close it. Compression is off.',
    limit: '4 MiB from the venue, 64 KiB to the exchange',
    where: ['venues/net/ws-socket.ts', 'exchange/sockets/sockets.ts'],
    tests: [
      'exchange/limits.test.ts: a message above the limit closes the socket with 1009',
      'venues/net/ws-socket.test.ts: a message above the limit costs the connection',
      'venues/net/ws-socket.test.ts: offers no compression',
    ],
  },
  {
    id: 'Q16',
    holds: 'A strategy runs in a worker without keys, network or files. This contains accidents, not malice.',
    where: ['core/strategy/permissions.ts', 'core/strategy/closed-modules.ts'],
    tests: [
      'core/strategy/intruder.test.ts: a strategy reaches no secret, file, socket, program, thread or descriptor, and imports what lies beside it',
      'core/strategy/trust.test.ts: of limited trust reads its own files, and reaches nothing else',
      'core/strategy/trust.test.ts: that says it is another strategy is refused',
    ],
  },
  {
    id: 'Q17',
    holds: 'Dependencies are pinned, few, and run no script when they are installed.',
    limit: '24 direct ones at run time',
    where: ['app/process/package.ts'],
    tests: [
      'package/package.test.ts: brings no script that runs on installation, and no node',
      'tidy.test.ts: every optional dependency of every package in the lock is itself locked',
      'project.test.ts: a tag makes a release after the checks, with the package, its provenance and its text',
    ],
    less: 'a gate for known weaknesses of dependencies: it needs a registry.',
  },
  {
    id: 'Q18',
    holds:
      'A daemon opens no inspector, not even at the signal for it. With real money it refuses options that show its memory.',
    where: ['app/live/trade.ts', 'app/live/check-trade.ts', 'core/strategy/permissions.ts'],
    tests: [
      'app/live/validate.test.ts: refuses a live run of a process with %s, by which others read its keys',
      'app/cli/launcher.test.ts: holds no secret and opens no inspector, started by the program itself',
      'app/cli/launcher.test.ts: stops in good order when the process that trades is asked to, with no secret in its environment and no inspector',
    ],
  },
];
