export declare const compilerFlags: readonly string[];
