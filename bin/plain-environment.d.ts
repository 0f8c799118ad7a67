type Environment = Readonly<Record<string, string | undefined>>;

export declare function parted(environment: Environment): {
  readonly stays: Environment;
  readonly leaves: Environment;
};
