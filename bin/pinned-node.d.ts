export declare function pinnedNode(): string | undefined;
