import { setTimeout as pause } from 'node:timers/promises';

/**
 * Asks again and again until there is an answer.
 *
 * @template T
 * @param {string} what for the error
 * @param {() => T | Promise<T>} ask
 * @param {number} within milliseconds
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, ask, within = 60_000) {
  for (const end = Date.now() + within; Date.now() < end; await pause(20)) {
    const answer = await ask();
    if (answer) return answer;
  }
  throw new Error(`waited ${Math.round(within / 1000)} s for ${what}; it did not come`);
}

/** `1.2 s`, `80 ms`. @param {number} milliseconds */
export function time(milliseconds) {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}
