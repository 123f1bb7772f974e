import type { PanelIntent } from '../panel-model';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The editor behind a page. It receives the intents, and keeps a small state while the page is hidden. */
export interface Host<Intent = PanelIntent> {
  send(intent: Intent): void;
  load(): unknown;
  save(state: unknown): void;
}

export function connectHost<Intent = PanelIntent>(): Host<Intent> {
  const api = acquireVsCodeApi();
  const post = (message: unknown) => api.postMessage.call(api, message);
  return {
    send: post,
    load: () => api.getState(),
    save: (state) => api.setState(state),
  };
}

/** Time without a picture after which a page requests one again, milliseconds. */
const ASK_AGAIN_MS = 1000;

/**
 * Tells the host that the page listens. If the page has nothing to show a moment later, it asks again: what was sent ahead went to an earlier page if
 * the editor has created the page again in the meantime.
 */
export function askForPicture(host: Host<{ readonly type: 'ready' }>, hasPicture: () => boolean): void {
  host.send({ type: 'ready' });
  setTimeout(() => {
    if (!hasPicture()) host.send({ type: 'ready' });
  }, ASK_AGAIN_MS);
}
