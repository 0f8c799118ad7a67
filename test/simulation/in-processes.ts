import { fork } from 'node:child_process';

export interface ProcessesParts<Task, Answer> {
  /** A module that answers each message with one message, and ends when it is disconnected. */
  readonly file: URL;
  readonly processes: number;
  /** The next task for the process of this number, from 0; `undefined`: there is none. */
  readonly next: (process: number) => Task | undefined;
  readonly done: (answer: Answer) => void;
}

/** Young objects may take so much before they are collected: a simulation makes many, and few live on. */
export const execArgv = ['--max-semi-space-size=32'];

/** Has so many processes work on tasks, each on one at a time, for as long as there are any. */
export async function inProcesses<Task extends object, Answer>(
  parts: ProcessesParts<Task, Answer>,
): Promise<void> {
  await Promise.all(Array.from({ length: parts.processes }, (_, number) => workIn(parts, number)));
}

function workIn<Task extends object, Answer>(
  { file, next, done }: ProcessesParts<Task, Answer>,
  number: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(file, { stdio: 'inherit', execArgv });
    const give = (): void => {
      const task = next(number);
      if (task === undefined) child.disconnect();
      else child.send(task);
    };
    child.on('message', (answer: Answer) => {
      done(answer);
      give();
    });
    child.on('error', reject);
    child.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`a process of the simulation ended with ${signal ?? code}`));
    });
    give();
  });
}
