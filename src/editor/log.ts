import type * as vscode from 'vscode';
import { presentable } from '../base/util/redact';
import type { Log } from '../base/util/log';

/** Returns the output channel as the log of all parts. Messages may quote transcripts, which contain secrets. */
export function channelLog(channel: vscode.LogOutputChannel): Log {
  return {
    debug: (message) => channel.debug(presentable(message)),
    info: (message) => channel.info(presentable(message)),
    warn: (message) => channel.warn(presentable(message)),
    error: (message) => channel.error(presentable(message)),
  };
}
