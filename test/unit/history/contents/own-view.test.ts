import { describe, expect, it } from 'vitest';
import type { Incident } from '../../../../src/core/model';
import { toStored } from '../../../../src/history/contents/merge';
import { createOwnViews } from '../../../../src/history/contents/own-view';
import { attempt, incident } from '../support/make';

/** A window that has saved this incident; its write ends as the test says. */
async function saved(one: Incident, written: Promise<void> = Promise.resolve()) {
  const views = createOwnViews();
  views.saved(toStored(one, undefined), written);
  await written.catch(() => {});
  return views;
}
const delay = (views: ReturnType<typeof createOwnViews>, one: Incident) => {
  const next = views.next(one);
  return 'kept' in next ? next.delayMs : 'nothing to write';
};

describe("a window's latest version of an incident", () => {
  it('is the first version if there was none, and is written at once', () => {
    const next = createOwnViews().next(incident());
    expect(next).toMatchObject({ delayMs: 0, isFirst: true });
  });

  it('waits for a second if only counts changed', async () => {
    const one = incident();
    const views = await saved(one);
    expect(views.next({ ...one, count: 5, updatedAt: one.updatedAt + 1 })).toMatchObject({
      delayMs: 1_000,
      isFirst: false,
    });
  });

  it.each<[string, Partial<Incident>]>([
    ['its state', { state: 'escalated' }],
    ['its level', { level: 'warn' }],
    ['how often it came back', { reopened: 1 }],
    ['whether somebody was told', { notified: true }],
    ['its end', { resolvedAt: 5 }],
    ['what became of it', { outcome: 'user' }],
    ['its attempts', { attempts: [attempt()] }],
  ])('does not wait with a change of %s', async (_, change) => {
    const one = incident();
    expect(delay(await saved(one), { ...one, ...change })).toBe(0);
  });

  it('is not written again if nothing changed', async () => {
    const one = incident();
    const write = Promise.resolve();
    const views = await saved(one, write);
    expect(views.next({ ...one })).toEqual({ written: write });
  });

  it('is written again if it could not be written, at once even for counts', async () => {
    const one = incident();
    const views = await saved(one, Promise.reject(new Error('full')));
    expect(delay(views, { ...one })).toBe(0);
    expect(delay(views, { ...one, count: 5 })).toBe(0);
  });

  it("is an earlier window's version until this one has its own", async () => {
    const muted = incident({ state: 'muted' });
    const views = createOwnViews();
    views.adopt(toStored(muted, undefined));
    expect(delay(views, { ...muted })).toBe('nothing to write');
    const unmuted = views.next({ ...muted, state: 'open' });
    expect('kept' in unmuted && unmuted.kept.mute).toMatchObject({ on: false });

    const own = await saved(incident({ id: muted.id }));
    own.adopt(toStored(muted, undefined));
    expect(delay(own, { ...muted })).toBe(0);
  });
});
