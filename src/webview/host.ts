import type { PanelIntent } from '../panel';

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
