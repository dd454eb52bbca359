import { Textarea, TextInput } from '@mantine/core'
import { useDeferredValue } from 'react'
import type { ChatWidget } from '#domains/chat/contract.ts'
import { shownColours } from '#domains/chat/colour-values.ts'
import { GREETING_LENGTH_MAX } from '#domains/chat/values.ts'
import { ChatLogo } from './chat-logo.tsx'
import type { PartProps } from './chat-widget-fields.ts'
import textClasses from '../../ui/text.module.css'
import form from './outreach-settings.module.css'
import classes from './chat-widget.module.css'

const COLOUR = /^#[0-9a-f]{6}$/
const COLOUR_LENGTH = 7

/** The logo, the colour and the greeting, and what visitors see of them. */
export function ChatLook({ fields, set, faultOf, widget }: PartProps & { widget: ChatWidget }) {
  const { colour, greeting } = fields
  const isColour = COLOUR.test(colour)
  return (
    <div className={classes.look}>
      <div className={form.fields}>
        <ChatLogo widget={widget} colour={isColour ? colour : widget.colour} />
        <div className={classes.colour}>
          <TextInput
            label="Colour"
            value={colour}
            error={faultOf('colour')}
            maxLength={COLOUR_LENGTH}
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => set({ colour: currentTarget.value.trim().toLowerCase() })}
          />
          <input
            type="color"
            aria-label="Pick a colour"
            className={classes.pick}
            value={isColour ? colour : '#000000'}
            onChange={({ currentTarget }) => set({ colour: currentTarget.value })}
          />
        </div>
        <Textarea
          label="Greeting"
          description="Shown beside the closed chat until it is dismissed."
          placeholder="No greeting"
          value={greeting}
          error={faultOf('greeting')}
          autosize
          minRows={2}
          maxRows={5}
          maxLength={GREETING_LENGTH_MAX}
          onChange={({ currentTarget }) => set({ greeting: currentTarget.value })}
        />
      </div>
      {isColour && <Preview colour={colour} greeting={greeting.trim()} />}
    </div>
  )
}

function Preview({ colour: typed, greeting }: { colour: string; greeting: string }) {
  const colour = useDeferredValue(typed)
  const { fill, on_fill, text, dark_fill, on_dark_fill, dark_text } = shownColours(colour)
  return (
    <div className={classes.preview} role="group" aria-label="Preview">
      <Sample mode="light" fill={fill} on={on_fill} text={text} greeting={greeting} />
      <Sample mode="dark" fill={dark_fill} on={on_dark_fill} text={dark_text} greeting={greeting} />
      <p className={`${textClasses.meta} ${classes.adjusted}`} role="status">
        {adjusted(colour) ?? 'Everything can be read in this colour.'}
      </p>
    </div>
  )
}

/** What the rule of contrast has made of the colour, if it has to. */
function adjusted(colour: string): string | undefined {
  const { fill, text, dark_fill, dark_text } = shownColours(colour)
  const parts = [
    fill !== colour && `buttons are darkened to ${fill}`,
    text !== colour && `links are darkened to ${text}`,
    dark_fill !== colour && `buttons are lightened to ${dark_fill} in dark mode`,
    dark_text !== colour && `links are lightened to ${dark_text} in dark mode`,
  ].filter(part => part !== false)
  return parts.length > 0 ? `Adjusted for contrast: ${parts.join(', ')}.` : undefined
}

type SampleProps = { mode: 'light' | 'dark'; fill: string; on: string; text: string; greeting: string }

/** A small part of the chat as it is on a light or a dark page. */
function Sample({ mode, fill, on, text, greeting }: SampleProps) {
  return (
    <div className={classes.sample} data-mode={mode}>
      <span className={classes.theirs} dir="auto">
        {greeting || 'How can we help?'}
      </span>
      <span className={classes.own} style={{ background: fill, color: on }}>
        Hello!
      </span>
      <span className={classes.sampleLink} style={{ color: text }}>
        Talk to a person
      </span>
    </div>
  )
}
