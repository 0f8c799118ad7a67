/** A process as the system tells of it. */
export interface Looked {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** Its command line. */
  readonly words: readonly string[];
}

export interface Link {
  readonly pid: number;
  readonly parent: number;
}

type Look = (pid: number, withWords?: boolean) => Looked | undefined;

export declare function managedBy(setting?: {
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly look?: Look;
  readonly pid?: number;
}): readonly Link[];

export declare function isOrphaned(links: readonly Link[], look?: Look): boolean;
