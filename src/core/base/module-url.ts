/** Whether this is the compiled package: there every module is a `.js` file. A checkout runs its `.ts` files. */
const isCompiled = import.meta.url.endsWith('.js');

/** Where to find a module that is started by its file, such as a worker's. `source`: its `.ts` file. */
export function moduleUrl(source: URL): URL {
  return isCompiled ? new URL(source.href.replace(/\.ts$/, '.js')) : source;
}
