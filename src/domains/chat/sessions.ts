import type { Context } from '#platform/context.ts'
import type { ShownWidget } from './contract.ts'

export type Answers = Readonly<Record<string, string>>

/** What a page needs to show this widget; `not_found` where there is none, or it has been deleted. */
export async function shownWidget(
  _ctx: Context,
  _id: string,
  _language: string | undefined,
): Promise<ShownWidget> {
  throw new Error('not there yet')
}

/** Sites that may show the widget in a frame, as its team has set them; `not_found` as above. */
export async function allowedSites(_ctx: Context, _id: string): Promise<readonly string[]> {
  throw new Error('not there yet')
}

/**
 * The way without JavaScript: begins a session, keeps the answers, and says the text. `invalid` with paths `answers.<key>` and
 * `text`; `too_many_requests` where one network begins too many; `conflict` where the widget is off.
 */
export async function leaveMessageAsVisitor(
  _ctx: Context,
  _widget: Pick<ShownWidget, 'id'>,
  _answers: Answers,
  _text: string,
): Promise<void> {
  throw new Error('not there yet')
}
