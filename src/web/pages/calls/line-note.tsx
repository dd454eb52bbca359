import { useQuery } from '@tanstack/react-query'
import IconFlask from 'icon:flask'
import IconPhoneOff from 'icon:phone-off'
import { lineQuery } from '../../records/calls/calls-cache.ts'
import noticeClasses from '../../ui/notice.module.css'

/** Says that calls are simulated, or why none can be placed. Otherwise nothing. */
export function LineNote() {
  const line = useQuery(lineQuery).data
  if (!line || (line.provider !== 'simulator' && line.can_dial)) return null
  const isSimulated = line.provider === 'simulator'
  return (
    <p className={noticeClasses.bar} data-tone={line.can_dial ? 'plain' : undefined}>
      {isSimulated && line.can_dial ? (
        <IconFlask size={16} aria-hidden />
      ) : (
        <IconPhoneOff size={16} aria-hidden />
      )}
      <span>
        {isSimulated && 'Calls are simulated here: no phone rings, and the conversation is scripted.'}
        {!line.can_dial && ` No calls can be placed. ${line.note ?? ''}`}
      </span>
    </p>
  )
}
