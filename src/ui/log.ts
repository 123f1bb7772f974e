import type * as vscode from 'vscode';
import { redact } from '../util/redact';
import type { Log } from '../util/log';

/** The output channel as the log of all parts. Secrets are redacted: transcripts hold some, and messages may quote them. */
export function channelLog(channel: vscode.LogOutputChannel): Log {
  return {
    debug: (message) => channel.debug(redact(message)),
    info: (message) => channel.info(redact(message)),
    warn: (message) => channel.warn(redact(message)),
    error: (message) => channel.error(redact(message)),
  };
}
