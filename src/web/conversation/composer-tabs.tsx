import IconLock from 'icon:lock'
import type { ConversationChannel } from '#domains/conversations/values.ts'
import { channelWords } from '../records/conversations/words.ts'
import { ChannelIcon } from './channel-icon.tsx'
import textClasses from '../ui/text.module.css'
import classes from './composer.module.css'

export type Tab = ConversationChannel | 'note'

type Props = { tab: Tab; channels: readonly ConversationChannel[]; set: (tab: Tab) => void }

/** A reply on one of the channels, or a note. */
export function ComposerTabs({ tab, channels, set }: Props) {
  return (
    <fieldset className={classes.tabs}>
      <legend className={textClasses.hidden}>What to write</legend>
      {[...channels, 'note' as const].map(each => (
        <label key={each} className={classes.tab}>
          <input type="radio" name="tab" checked={each === tab} onChange={() => set(each)} />
          <span>
            <span aria-hidden className={classes.tabSign}>
              {each === 'note' ? <IconLock size={16} /> : <ChannelIcon channel={each} />}
            </span>
            {each === 'note' ? 'Note' : channelWords[each]}
          </span>
        </label>
      ))}
    </fieldset>
  )
}
