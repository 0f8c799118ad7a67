import * as fs from 'node:fs';
import module, { createRequire, isBuiltin, registerHooks } from 'node:module';
import { moduleUrl } from '../base/module-url.ts';

const scheme = 'godwit-closed:';
const self = moduleUrl(new URL('./closed-modules.ts', import.meta.url)).href;
const builtin = process.getBuiltinModule.bind(process);

/** Modules of Node that reach nothing outside of the thread. */
const open: ReadonlySet<string> = new Set(
  [
    ['assert', 'assert/strict', 'buffer', 'console', 'constants', 'crypto', 'diagnostics_channel', 'events'],
    [
      'path',
      'path/posix',
      'path/win32',
      'perf_hooks',
      'punycode',
      'querystring',
      'stream',
      'stream/consumers',
    ],
    [
      'stream/promises',
      'stream/web',
      'string_decoder',
      'timers',
      'timers/promises',
      'url',
      'util',
      'util/types',
    ],
    ['zlib'],
  ].flat(),
);

/** Members of the others that stay. Reading goes by path: the permission model looks at paths, and not at open descriptors. */
const kept: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  fs: { readFileSync: byPath(fs.readFileSync), existsSync: fs.existsSync, statSync: fs.statSync },
  async_hooks: pick('async_hooks', ['AsyncLocalStorage', 'AsyncResource']),
  module: { createRequire, isBuiltin, builtinModules: [...module.builtinModules] },
  // A message over the port of the thread ends the strategy.
  worker_threads: pick('worker_threads', ['isMainThread', 'parentPort', 'workerData', 'threadId']),
};

const functionsOfProcess = '_linkedBinding _rawDebug binding dlopen execve loadEnvFile openStdin';
const globals = 'BroadcastChannel EventSource FormData Headers Request Response WebSocket Worker fetch';

/**
 * Takes away what the permission model of this thread leaves: descriptors of the process and what works on them, databases,
 * messages to other threads. Holds for all code that this thread loads from now on.
 */
export function closeModules(): void {
  for (const name of functionsOfProcess.split(' ')) replace(process, name, closed(`process.${name}`));
  replace(process, 'stdin', undefined);
  for (const name of globals.split(' ')) if (name in globalThis) replace(globalThis, name, closed(name));
  replace(process, 'getBuiltinModule', (name: unknown) => {
    const bare = bareName(String(name));
    return open.has(bare) ? builtin(bare) : isBuiltin(bare) ? standIn(bare) : undefined;
  });
  registerHooks({
    resolve: (specifier, context, next) => {
      const bare = bareName(specifier);
      if (!isBuiltin(specifier) || open.has(bare)) return next(specifier, context);
      return { url: scheme + bare, format: 'module', shortCircuit: true };
    },
    load: (url, context, next) =>
      url.startsWith(scheme)
        ? { format: 'module', source: sourceOf(url.slice(scheme.length)), shortCircuit: true }
        : next(url, context),
  });
  for (const name of ['register', 'registerHooks']) replace(module, name, closed(`module.${name}`));
  // A method of ours that is swapped would be handed the port to the host.
  for (const prototype of [MessagePort.prototype, EventTarget.prototype]) Object.freeze(prototype);
}

/** Stands for a module: every function of it throws, the rest is as it is where it is plain. */
export function standIn(name: string): Readonly<Record<string, unknown>> {
  const real = builtin(`node:${name}`) as unknown as Readonly<Record<string, unknown>>;
  const own = kept[name] ?? {};
  return Object.fromEntries(
    Object.keys(real).map((key) => [
      key,
      key in own ? own[key] : standInOf(real[key], `node:${name}.${key}`),
    ]),
  );
}

function standInOf(value: unknown, name: string): unknown {
  if (typeof value === 'function') return closed(name);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'function' ? closed(`${name}.${key}`) : typeof inner === 'object' ? undefined : inner,
    ]),
  );
}

/** May be called, constructed and extended; each but the last throws. */
function closed(name: string) {
  return function closedToStrategies(): never {
    const error = new Error(`${name} is closed to a strategy of limited trust`);
    throw Object.assign(error, { code: 'ERR_ACCESS_DENIED', permission: name });
  };
}

function byPath(read: typeof fs.readFileSync) {
  return (path: unknown, options?: unknown): unknown => {
    if (typeof path !== 'string' && !(path instanceof URL)) return closed('node:fs.readFileSync')();
    return read(path, options as BufferEncoding);
  };
}

function pick(name: string, keys: readonly string[]): Readonly<Record<string, unknown>> {
  const real = builtin(`node:${name}`) as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(keys.map((key) => [key, real[key]]));
}

function sourceOf(name: string): string {
  const names = Object.keys(builtin(`node:${name}`) as object).filter(
    (key) => /^[A-Za-z]\w*$/.test(key) && key !== 'default',
  );
  const lines = names.map((key, index) => `const m${index} = m[${JSON.stringify(key)}];`);
  const exported = names.map((key, index) => `m${index} as ${key}`);
  return [
    `import { standIn } from ${JSON.stringify(self)};`,
    `const m = standIn(${JSON.stringify(name)});`,
    ...lines,
    `export { ${[...exported, "m as default, m as 'module.exports'"].join(', ')} };`,
  ].join('\n');
}

function bareName(specifier: string): string {
  return specifier.startsWith('node:') ? specifier.slice(5) : specifier;
}

function replace(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: false, configurable: false });
}
