/** Shell commands with which the examples and `config/live.example.yaml` find a key of the exchange. */
export function exportLines(key: {
  readonly api_key: string;
  readonly secret_key: string;
}): readonly string[] {
  return [`export GODWIT_API_KEY=${key.api_key}`, `export GODWIT_SECRET_KEY=${key.secret_key}`];
}
