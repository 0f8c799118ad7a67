/** Defects that no seed shows, each with the reason: what they change is out of the simulated world, or comes to the same. */
export const survivors: Readonly<Record<string, string>> = {};
