/**
 * `make` with a cache of its last result, so that what goes to several sessions is encoded once. Fast twin of `make`: row
 * `exchange-orders`, 1.04 times as fast.
 */
export function memoizeLast<Input extends object, Output>(
  make: (input: Input) => Output,
): (input: Input) => Output {
  let last: Input | undefined;
  let output: Output | undefined;
  return (input) => {
    if (input !== last) {
      output = make(input);
      last = input;
    }
    return output as Output;
  };
}
