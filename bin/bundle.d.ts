interface Bundle {
  readonly folder: string;
  readonly isMade: boolean;
}

export declare function bundleOfCheckout(): Bundle | undefined;
export declare function bundledModule(folder: string, source: string): string;
export declare function touchBundle(folder: string): void;
export declare function makeBundle(): Promise<string>;
export declare function makeBundleBeside(node: string, env: Readonly<Record<string, string>>): void;
