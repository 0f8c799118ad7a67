import type { ResolveFnOutput } from 'node:module';
import { registerHooks } from 'node:module';
import { moduleUrl } from '../base/module-url.ts';

const own = /^godwit(\/|$)/;
/** `package.json` exports TypeScript under this condition, for a checkout, and compiled code otherwise. */
const conditions = import.meta.url.endsWith('.ts') ? ['godwit-source'] : [];
let isRegistered = false;

/**
 * Resolves `godwit/...` in strategies to the running Godwit, whether or not a package of that name can be found from the
 * folder of the strategy. Holds for this thread from now on.
 */
export function resolveOwnPackage(): void {
  if (isRegistered) return;
  isRegistered = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      own.test(specifier)
        ? running(
            next(specifier, {
              ...context,
              parentURL: import.meta.url,
              conditions: [...conditions, ...context.conditions],
            }),
          )
        : next(specifier, context),
  });
}

/** Module that runs: in a bundle that of the bundle, of which the source would be a second copy. */
function running(resolved: ResolveFnOutput): ResolveFnOutput {
  const { href } = moduleUrl(new URL(resolved.url));
  return href === resolved.url ? resolved : { ...resolved, url: href, format: 'module' };
}
