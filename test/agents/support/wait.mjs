import { setTimeout as pause } from 'node:timers/promises';

/**
 * The single limit of all waits, milliseconds. A wait ends when its condition is met; the limit only ends a test that hangs, even on a busy machine.
 */
export const PATIENCE = 300_000;

/**
 * Polls until there is an answer.
 *
 * @template T
 * @param {string} what for the error
 * @param {() => T | Promise<T>} ask
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, ask) {
  for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(20)) {
    const answer = await ask();
    if (answer) return answer;
  }
  throw new Error(`waited ${PATIENCE / 1000} s for ${what}; it did not come`);
}

/** `1.2 s`, `80 ms`. @param {number} milliseconds */
export function time(milliseconds) {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
