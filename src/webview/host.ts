import type { PanelIntent } from '../panel';

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** The editor behind the panel: intents go to it, and a small state is kept by it while the panel is hidden. */
export interface Host {
  send(intent: PanelIntent): void;
  load(): unknown;
  save(state: unknown): void;
}

export function connectHost(): Host {
  const api = acquireVsCodeApi();
  const post = (message: unknown) => api.postMessage.call(api, message);
  return {
    send: post,
    load: () => api.getState(),
    save: (state) => api.setState(state),
  };
}
