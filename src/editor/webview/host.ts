import type { PanelIntent } from '../panel-model';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The editor behind a page: intents go to it, and a small state is kept by it while the page is hidden. */
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

/** Without a picture after this long, milliseconds, a page asks for one once more. */
const ASK_AGAIN_MS = 1000;

/**
 * Tells the host that the page listens. If it has nothing to show a moment later, it asks again: what was sent ahead went to a page before
 * this one, if the editor made the page anew meanwhile.
 */
export function askForPicture(host: Host<{ readonly type: 'ready' }>, hasPicture: () => boolean): void {
  host.send({ type: 'ready' });
  setTimeout(() => {
    if (!hasPicture()) host.send({ type: 'ready' });
  }, ASK_AGAIN_MS);
}
