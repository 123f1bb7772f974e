import { beforeEach, describe, expect, it, vi } from 'vitest';
import { currentNotifications } from '../../../../src/editor/settings/former-notifications';
import { rewriteFormerSettings } from '../../../../src/editor/settings/former-settings';
import { editor, resetEditor, settings } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
beforeEach(resetEditor);

const current = (stored: Readonly<Record<string, unknown>>) => currentNotifications((name) => stored[name]);
const USUAL = ['stuck', 'waiting', 'died', 'freed', 'limit', 'unreachable'];

describe('switches of notifications that 0.1.0 stored', () => {
  it('become one list', () => {
    expect(current({ 'notifications.died': false, 'notifications.finished': true })).toEqual({
      for: ['stuck', 'waiting', 'freed', 'limit', 'unreachable', 'finished'],
      former: ['notifications.died', 'notifications.finished'],
    });
    expect(current({ 'notifications.enabled': false, 'notifications.finished': true })?.for).toEqual([]);
    expect(current({ 'notifications.enabled': true })?.for).toEqual(USUAL);
    expect(current({ 'notifications.waiting': 0 })?.for).not.toContain('waiting');
  });

  it('are absent if nothing was switched', () => {
    expect(current({})).toBeNull();
    expect(current({ 'notifications.waiting': 5, 'notifications.for': ['stuck'] })).toBeNull();
  });

  it('give way to a list that was made later', () => {
    expect(current({ 'notifications.for': ['died'], 'notifications.freed': true })).toEqual({
      for: ['died'],
      former: ['notifications.freed'],
    });
  });

  it('are rewritten once, without a message: nothing in them is lost', async () => {
    settings.set('notifications.freed', false);
    await rewriteFormerSettings();
    expect(settings.get('notifications.for')).toEqual(['stuck', 'waiting', 'died', 'limit', 'unreachable']);
    expect(settings.get('notifications.freed')).toBeUndefined();
    settings.set('notifications.for', ['stuck']);
    await rewriteFormerSettings();
    expect([settings.get('notifications.for'), editor.shown]).toEqual([['stuck'], []]);
  });
});
