// A worker that runs one search at a time. To stop a search, the worker is terminated (engines.ts).

import { analyze, decide, initSync, installNetwork } from '#wasm/sandtable_wasm.js';
import { filesByGame } from '../../learn/files-by-game';
import type { EngineRequest, EngineResponse } from './engines';
import { kindOf, Networks } from './networks';
import { errorBody } from './protocol';

const respond = (response: EngineResponse) => postMessage(response);
const never = () => false;
const addresses = import.meta.glob<string>('#nets/*.net', { query: '?url', import: 'default', eager: true });
const networks = new Networks(filesByGame(addresses), installNetwork, (message) => console.warn(message));

async function handle(request: EngineRequest): Promise<void> {
  switch (request.type) {
    case 'core':
      initSync({ module: request.module });
      break;
    case 'decide':
      await networks.ready(kindOf(request.task));
      respond({ type: 'decided', decision: decide(request.task, never) });
      break;
    case 'analyze':
      await networks.ready(kindOf(request.request));
      analyze(request.request, (message) => respond({ type: 'message', message }), never);
      respond({ type: 'analysed' });
  }
}

onmessage = ({ data }: MessageEvent<EngineRequest>) => {
  handle(data).catch((error: unknown) => respond({ type: 'failed', error: errorBody(error) }));
};
