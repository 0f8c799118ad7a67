export declare function compilerFlagsOf(command: string | undefined): readonly string[];
