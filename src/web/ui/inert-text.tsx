import classes from './parts.module.css'

/** Untrusted content as plain text. The scrolling region is reachable by keyboard. */
export function InertText({ label, text }: { label: string; text: string }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <pre className={classes.inert} tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  )
}
