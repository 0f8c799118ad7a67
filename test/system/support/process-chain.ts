import { readdirSync, readFileSync } from 'node:fs';
import { until } from './until.ts';

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly words: string;
}

/** Every process of this machine; zombies are gone. Linux only. */
function running(): readonly Running[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), words }];
      } catch {
        return [];
      }
    });
}

/** A process and its only child, and so on: npm, a shell, the launcher and the program, as soon as all are there. */
export async function chainOf(pid: number, length: number): Promise<readonly number[]> {
  return until(`${length} processes below ${pid}`, () => {
    const all = running();
    const chain: number[] = [];
    for (let at: number | undefined = pid; at !== undefined;) {
      chain.push(at);
      const parent: number = at;
      at = all.find((one) => one.parent === parent)?.pid;
    }
    return chain.length >= length ? chain : undefined;
  });
}

/** Whether a process lives; one that nobody has fetched the end of does not. */
export function lives(pid: number): boolean {
  return running().some((one) => one.pid === pid);
}
