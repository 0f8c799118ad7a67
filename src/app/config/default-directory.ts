/** Where journal, lock and reports of a run lie when the configuration does not say. */
export const defaultRunDirectory = 'runs/default';
