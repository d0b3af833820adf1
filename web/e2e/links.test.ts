// Links that do not work lead to a page that says why and where to go on.

import { expect, test } from 'vitest';
import { expectErrorResponses, setUpEnvironment } from './environment';

const env = setUpEnvironment();

test.each([
  ['#/nowhere', 'This link does not work', 'It may be incomplete', null],
  ['#/analysis?kind=ludo', 'This link does not work', 'Unknown game “ludo”.', null],
  ['#/editor?kind=ludo', 'This link does not work', 'Unknown game “ludo”.', null],
  ['#/analysis?kind=chess&position=8/8', 'This link does not work', /expected 6 FEN fields/, 422],
  ['#/editor?kind=chess&position=8/8', 'This link does not work', /expected 6 FEN fields/, 422],
  ['#/game/7q2m4x9k1c0z', 'This game no longer exists.', 'the link is incomplete', 404],
] as const)('%s', async (link, title, reason, status) => {
  const { page, errors } = await env.open(link);
  const notice = page.getByTestId('broken-link');
  await notice.getByRole('heading', { name: title }).waitFor();
  await notice.getByText(reason).waitFor();
  if (status) await expectErrorResponses(errors, status, 1);
  await notice.getByRole('link', { name: 'New game' }).click();
  await page.getByText('Choose a game').waitFor();
  expect(await notice.count()).toBe(0);
});
