import type { Request } from '../protocol.js';
import { serve } from './serve.js';

const handle = serve((answer) => postMessage(answer));
onmessage = (event: MessageEvent<Request>) => handle(event.data);
