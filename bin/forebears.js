// Plain JavaScript that any Node can run: whether the npm that started this process still lives.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const depthMax = 16;
const managers = /^(npm|npx|pnpm|pnpx|yarn|yarnpkg|bun|bunx)(-cli)?(\.[cm]?js)?$/;
const shells = /^-?(sh|ash|dash|bash|zsh|ksh|mksh|busybox)$/;

/**
 * The processes between this one and the package manager that started it, each with the parent it has now; empty where no
 * package manager did. `npx godwit` is npm, a shell and this process, and neither of them passes a signal on: who stops
 * npm, or kills it, means this process. What is started otherwise may outlive its parent, as a daemon does; so may what was
 * given a session of its own (setsid).
 */
export function managedBy({ environment = process.env, look = lookAt, pid = process.pid } = {}) {
  if (environment.npm_execpath === undefined && environment.npm_command === undefined) return [];
  const self = look(pid);
  const links = [];
  let managed = 0;
  let at = self;
  while (at !== undefined && at.parent > 0 && links.length < depthMax) {
    const above = look(at.parent);
    if (above === undefined || above.session !== self.session) break;
    const isManager = isManagerProcess(above.words);
    if (!isManager && !isShellOfManager(above.words)) break;
    links.push({ pid: at.pid, parent: above.pid });
    if (isManager) managed = links.length;
    at = above;
  }
  return links.slice(0, managed);
}

/** Whether one of them has another parent now: the one it had is gone. */
export function isOrphaned(links, look = lookAt) {
  return links.some(({ pid, parent }) => look(pid, false)?.parent !== parent);
}

/** npm names its process `npm exec ...`; otherwise it is Node with npm's script. */
function isManagerProcess(words) {
  return words.slice(0, 2).some((word) => managers.test(baseOf(word)));
}

/** Package managers run a command as `sh -c COMMAND`; a shell that somebody types into has no `-c`. */
function isShellOfManager(words) {
  return shells.test(baseOf(words[0])) && words.slice(1, 3).includes('-c');
}

function baseOf(word = '') {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** Parent, session and command line of a process; `undefined` when there is none. */
function lookAt(pid, withWords = true) {
  try {
    return process.platform === 'linux' ? lookInProc(pid, withWords) : askPs(pid, withWords);
  } catch {
    return undefined;
  }
}

function lookInProc(pid, withWords) {
  // The name of the program stands in brackets and may hold anything: what comes behind the last one is fields.
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const words = withWords ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/) : [];
  return { pid, parent: Number(fields[1]), session: Number(fields[3]), words };
}

/** Where there is no /proc, `ps` is asked once; from then on it is enough that a process and its parent are there. */
function askPs(pid, withWords) {
  if (!withWords) {
    const parent = pid === process.pid ? process.ppid : parents.get(pid);
    for (const one of [pid, parent]) process.kill(one, 0);
    return { pid, parent, session: 0, words: [] };
  }
  const { status, stdout } = spawnSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], {
    encoding: 'utf8',
  });
  if (status !== 0) return undefined;
  const [parent, ...words] = stdout.trim().split(/\s+/);
  parents.set(pid, Number(parent));
  return { pid, parent: Number(parent), session: 0, words };
}

const parents = new Map();
