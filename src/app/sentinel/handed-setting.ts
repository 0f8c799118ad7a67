/**
 * Variable in which a daemon hands its lease and its configuration, where secrets are references, to the sentinel that it starts. It
 * stands apart so that every command looks for it without loading a sentinel.
 */
export const sentinelVariable = 'GODWIT_SENTINEL';
