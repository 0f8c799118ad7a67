/** Defects that no seed shows, each with the reason: what they change is out of the simulated world, or comes to the same. */
export const survivors: Readonly<Record<string, string>> = {
  'leverage is not limited': 'no seed has a limit of leverage',
  'any symbol may be traded': 'no strategy asks for a symbol that it may not trade',
  'any product may be traded': 'no strategy asks for a product that it did not declare',
  'a contract is bought on spot': 'no strategy asks for a contract without margin',
  'an order that closes a position may be of any kind':
    'what closes a position is asked for as a stop market order alone',
  'market orders are not switched off': 'market orders are on in every seed',
};
