// Plain JavaScript that any Node can run: which variables of the environment the trading process may keep.

/** Variables that say how a process runs. They carry no secrets. */
const plain = new Set(
  [
    ['PATH', 'HOME', 'PWD', 'USER', 'LOGNAME', 'SHELL', 'HOSTNAME', 'TMPDIR', 'TMP', 'TEMP', 'TZ'],
    ['LANG', 'LANGUAGE', 'TERM', 'COLORTERM', 'COLUMNS', 'LINES', 'NO_COLOR', 'FORCE_COLOR', 'CI'],
    ['NODE_ENV', 'NODE_OPTIONS', 'NODE_PATH', 'NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS'],
    ['NODE_NO_WARNINGS', 'NODE_DISABLE_COLORS', 'NODE_V8_COVERAGE', 'NODE_USE_SYSTEM_CA'],
    ['NODE_TLS_REJECT_UNAUTHORIZED', 'UV_THREADPOOL_SIZE', 'MALLOC_ARENA_MAX', 'SSL_CERT_FILE'],
    ['SSL_CERT_DIR', 'LD_LIBRARY_PATH', 'LD_PRELOAD', 'DYLD_LIBRARY_PATH'],
    ['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE'],
  ].flat(),
);

/**
 * Two parts of an environment. What stays is what a process needs to run; everything else may be a secret, and anything that
 * runs in a process can read the environment that the process was started with.
 */
export function parted(environment) {
  const stays = {};
  const leaves = {};
  for (const [name, value] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    (plain.has(upper) || upper.startsWith('LC_') ? stays : leaves)[name] = value;
  }
  return { stays, leaves };
}
