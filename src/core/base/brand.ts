declare const unit: unique symbol;

/** A primitive that carries its unit in its type, so that ticks are never added to lots. */
export type Brand<Primitive, Unit extends string> = Primitive & { readonly [unit]: Unit };
