import type { z } from 'zod';
import type { WireError } from './errors.ts';
import { wireError } from './errors.ts';

/** Error 10001 with a message that names the parameter. Source: v3-gaps, section 9. */
export function parameterError(name: string, problem: string): WireError {
  return wireError(10001, { message: `Bad request parameter [${name}]. ${problem}`.slice(0, 300) });
}

/** Fault of a parameter in words of the service: those of the library that reads are kept to ourselves. */
export function problemOf(issue: z.core.$ZodIssue, given: object): string {
  if (issue.code !== 'custom' && isMissing(issue.path, given)) return 'Parameter is required';
  if (!/^(Invalid|Too) /.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_value') return `Parameter must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'too_big') return `Parameter must have at most ${issue.maximum} characters`;
  return issue.code === 'invalid_type'
    ? `Parameter must be of type ${issue.expected}`
    : 'Parameter is not as expected';
}

function isMissing(path: readonly PropertyKey[], given: unknown): boolean {
  let value = given;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value === undefined || isAbsent(value);
}

/** Null and empty parameters count as absent: clients differ in how they leave one out. */
export function isAbsent(value: unknown): boolean {
  return value === null || value === '';
}
