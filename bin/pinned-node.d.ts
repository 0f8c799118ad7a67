export declare const nodePackages: Readonly<Record<string, string>>;
export declare function pinnedNode(): string | undefined;
