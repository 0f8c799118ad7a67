const folderName = 'NODE_COMPILE_CACHE';
const readOnlyName = 'NODE_COMPILE_CACHE_READONLY';

/** Folder in which Node keeps compiled code; `undefined` when it keeps none, as where its name is empty. */
function folderOf(environment: NodeJS.ProcessEnv): string | undefined {
  const folder = environment[folderName];
  return folder === '' ? undefined : folder;
}

/** The part of the environment by which a thread finds compiled code, and adds to it: it starts in half of the time. */
export function compiledCode(): Record<string, string> {
  const folder = folderOf(process.env);
  return folder === undefined ? {} : { [folderName]: folder };
}

/** Means by which a thread or process that runs code of others reads compiled code, and adds none that others would run. */
export interface CompiledCodeToRead {
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments of Node, for one that its permission model holds. */
  readonly permissions: readonly string[];
}

/** Compiled code for a thread or process that must not add to it. It calls `leaveCompiledCode` before it loads code of others. */
export function compiledCodeToRead(): CompiledCodeToRead {
  const folder = folderOf(process.env);
  if (folder === undefined) return { environment: {}, permissions: [] };
  return {
    environment: { [folderName]: folder, [readOnlyName]: '1' },
    permissions: [`--allow-fs-read=${folder}`],
  };
}

/** Takes from this thread what `compiledCodeToRead` gave it: the code that it loads from now on sees neither folder nor files. */
export function leaveCompiledCode(): void {
  const folder = folderOf(process.env);
  if (folder === undefined) return;
  for (const name of [folderName, readOnlyName]) delete process.env[name];
  // Node before 26 cannot; there it reads no compiled code without the right to write it.
  const permission: { drop?: (scope: string, reference: string) => void } | undefined = process.permission;
  permission?.drop?.('fs.read', folder);
}
