import { test } from 'vitest';
import { measureSelection } from './bench';

test('time from press to targets', async () => {
  for (const [kind, { median, p95 }] of Object.entries(await measureSelection())) {
    console.log(`${kind}: median ${median.toFixed(2)} ms, 95th percentile ${p95.toFixed(2)} ms`);
  }
});
