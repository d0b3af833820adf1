// The rules of the games: the pages of docs/rules, which rules-plugin.ts turns into modules. Loaded on demand.

import type { Language } from '../../i18n';
import type { RulesPage } from './rules-page';

const pages = import.meta.glob<RulesPage>('../../../../docs/rules/*.md');

/** The rules of a game in a language, or in English if they are not translated; null if the game has no page. */
export async function rulesPage(kind: string, language: Language): Promise<RulesPage | null> {
  const page = (ending: string) => pages[`../../../../docs/rules/${kind}${ending}.md`];
  return (await (page(`.${language}`) ?? page(''))?.()) ?? null;
}
