import { BadInput } from '../../core/base/errors.ts';
import { parseLossless } from '../../venues/hitbtc/wire/index.ts';
import type { Refusal } from '../base/index.ts';
import { badParameter, badRequest } from '../base/index.ts';
import type { RestRequest } from './http.ts';

const bodyLimits = { length: 1_048_576, depth: 16 };
const parametersMax = 1_000;

/** Parameters by name. Without a prototype, so that no name means anything but itself. */
export type Parameters = Record<string, unknown>;

/**
 * All parameters of a request: query, then body (JSON or form, as its type says), then those of the path. A name
 * given again in one place makes a list. A body is not looked at on GET, nor a query on POST: an order must not be placed by
 * an address alone. A body that is a list becomes `items` where the endpoint takes one.
 * Source: API v3, "Conventions", 4; API v2, "Conventions", 3; v3-gaps, sections 5 (clients put those of PUT into the query) and 6.
 */
export function parametersOf(request: RestRequest, takesList = false): Parameters | Refusal {
  const all: Parameters = Object.create(null) as Parameters;
  const query = request.method === 'POST' ? undefined : addFields(all, request.query);
  if (query !== undefined) return query;
  if (request.method !== 'GET' && request.body !== '') {
    const body = isJson(request) ? addJson(all, request.body, takesList) : addBody(all, request.body);
    if (body !== undefined) return body;
  }
  for (const [name, value] of Object.entries(request.pathParameters)) all[name] = value;
  return all;
}

/** Clients send form bodies under a JSON type when they are empty only, so the type decides. */
function isJson(request: RestRequest): boolean {
  if (request.contentType.includes('json')) return true;
  // Without a type, a body that looks like JSON is JSON.
  return request.contentType === '' && /^\s*[[{]/.test(request.body);
}

function addBody(all: Parameters, body: string): Refusal | undefined {
  const own: Parameters = Object.create(null) as Parameters;
  const refusal = addFields(own, body);
  if (refusal !== undefined) return refusal;
  Object.assign(all, own);
  return undefined;
}

function addFields(all: Parameters, text: string): Refusal | undefined {
  if (text === '') return undefined;
  let count = 0;
  for (const [name, value] of new URLSearchParams(text)) {
    if (++count > parametersMax) return badRequest(`expected at most ${parametersMax} parameters`);
    if (isReserved(name)) return badName(name);
    all[name] = Object.hasOwn(all, name) ? [all[name], value].flat() : value;
  }
  return undefined;
}

function addJson(all: Parameters, body: string, takesList: boolean): Refusal | undefined {
  let value: unknown;
  try {
    value = parseLossless(body, bodyLimits);
  } catch (error) {
    if (error instanceof BadInput) return badRequest(`Bad request body. ${error.message}`);
    throw error;
  }
  if (takesList && Array.isArray(value)) {
    all['items'] = value;
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return badRequest('Bad request body. Expected an object of parameters');
  }
  for (const [name, member] of Object.entries(value)) {
    if (isReserved(name)) return badName(name);
    all[name] = member;
  }
  return undefined;
}

function isReserved(name: string): boolean {
  return name === '__proto__' || name === 'constructor' || name === 'prototype';
}

function badName(name: string): Refusal {
  return badParameter(name, 'No parameter has this name');
}
