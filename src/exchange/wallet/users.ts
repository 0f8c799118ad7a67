/** By which e-mail address an account is known to other users; its user name is its name. */
export function emailOf(accountName: string): string {
  return `${accountName}@example.com`;
}
