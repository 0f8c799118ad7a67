/**
 * The code of a currency or symbol: capitals, digits and `_`, and letters of any script that has no capitals. Requests may write a
 * code in small letters, so each must be its own capitals.
 */
export const codeShape = /^(?:[A-Z0-9_]|(?!\p{Default_Ignorable_Code_Point})[\p{Lu}\p{Lo}\p{Nd}]){2,20}$/u;
