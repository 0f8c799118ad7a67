/** One published result to reproduce. */
export interface ConformanceCase {
  /** Unique; what it is and whose number it is, such as `hftbacktest BTCUSDT: 300 rows of the market maker`. */
  readonly name: string;
  /** Files the case reads, relative to the folder of recorded data beside the repository. */
  readonly needs: readonly string[];
  /** Ends when everything is equal, with a remark where there is one; throws an error that names the first difference when not. */
  readonly run: () => Promise<unknown>;
}
