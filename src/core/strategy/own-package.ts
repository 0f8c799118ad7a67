import { registerHooks } from 'node:module';

const own = /^godwit(\/|$)/;
let isRegistered = false;

/**
 * A strategy may lie anywhere: what it imports of Godwit is the Godwit that runs it, whether or not a package of that name
 * can be found from where it lies. Holds for this thread from now on.
 */
export function resolveOwnPackage(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, own.test(specifier) ? { ...context, parentURL: import.meta.url } : context),
  });
}
