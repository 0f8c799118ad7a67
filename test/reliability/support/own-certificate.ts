/** A certificate of localhost that nobody but its owner signed, and its key: worth nothing, and trusted by nobody. */
export const ownCertificate = {
  key: [
    '-----BEGIN PRIVATE KEY-----',
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgU6WLaT1vH3oddjOQ',
    'ZeGgwo2OW14OVEa1OsA4cdPWUsmhRANCAASghvwjfSpM3lOKTeUR3EiTysY/S/rv',
    'rkHajQmus3tQ4bkFmz20FUBmAXV0kz3CLYe9nu1cGEAO/nF9cAWvZ+dI',
    '-----END PRIVATE KEY-----',
  ].join('\n'),
  cert: [
    '-----BEGIN CERTIFICATE-----',
    'MIIBfzCCASWgAwIBAgIUB6WBzLSio/yd5dRek8H403mnYlQwCgYIKoZIzj0EAwIw',
    'FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyNzIxNTkxNVoYDzIxMjYxMTAz',
    'MjE1OTE1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO',
    'PQMBBwNCAASghvwjfSpM3lOKTeUR3EiTysY/S/rvrkHajQmus3tQ4bkFmz20FUBm',
    'AXV0kz3CLYe9nu1cGEAO/nF9cAWvZ+dIo1MwUTAdBgNVHQ4EFgQUFlZL+AWiFOWr',
    'uP9jvynDap9JpvMwHwYDVR0jBBgwFoAUFlZL+AWiFOWruP9jvynDap9JpvMwDwYD',
    'VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiAi/58zERKU2BvAv8Yldy4J',
    'p1xNnuXW2LQGyjXftepncQIhALM4CpChaiIAYzyrlGe0sEfWv3knlwT3AZUDm81c',
    'FsXD',
    '-----END CERTIFICATE-----',
  ].join('\n'),
};
