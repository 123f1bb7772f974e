import { join } from 'node:path';
import type { HookSample } from '../shared/connect/hook-agent';
import { hookCommand } from '../shared/connect/hook-entries';
import { testHook } from '../shared/connect/hook-test';
import { type PluginAgent, pluginHead } from '../shared/connect/plugin-agent';
import { clineFolder } from './folder';

/** Delivers messages to Cline's command line through our own hook file: it runs every file named after an event, whatever its extension. */
export const clineHook: PluginAgent = {
  agent: 'cline',
  name: 'Cline',
  abilities: {
    wakesIdle: false,
    joinsRunning: false,
    kinds: ['nudge', 'gate', 'reassign', 'checkpoint', 'stop'],
  },
  what: 'hook',
  runs: 'hook.sh',
  file: (home, env) => join(clineFolder(home, env), 'hooks', 'PostToolUse.sh'),
  text: (hookFolder) =>
    ['#!/bin/sh', pluginHead('Cline', '#'), hookCommand(hookFolder, 'cline', 'PostToolUse'), ''].join('\n'),
  remarks: {
    sessions: ['Sessions of its command line that run now take no messages: end them and resume them with cline --id.'],
    rest: ['A message arrives with the next tool call. It cannot wake Cline when its turn has ended.'],
  },
  test: (environment) =>
    testHook(
      { id: 'cline', sample, command: hookCommand(environment.hookFolder, 'cline', 'PostToolUse') },
      environment,
    ),
};

const sample: HookSample = {
  event: 'PostToolUse',
  payload: (session, folder) => ({
    clineVersion: '',
    timestamp: '2026-11-27T02:23:45.031Z',
    taskId: 'conv_test',
    sessionContext: { rootSessionId: session },
    workspaceRoots: [folder],
    agent_id: 'agent_test',
    parent_agent_id: null,
    hookName: 'tool_result',
    iteration: 1,
    tool_result: { id: 'call_test', name: 'run_commands', input: { commands: ['echo s0'] }, output: [] },
  }),
  env: () => ({}),
};
