import classes from './wordmark.module.css'

export function Wordmark() {
  return (
    <span className={classes.wordmark}>
      <svg viewBox="0 0 32 32" width="20" height="20" aria-hidden>
        <rect width="32" height="32" rx="8" className={classes.tile} />
        <path
          d="M9 11.5A3.5 3.5 0 0 1 12.5 8h7a3.5 3.5 0 0 1 3.5 3.5v5a3.5 3.5 0 0 1-3.5 3.5H16l-4.6 3.8a.9.9 0 0 1-1.4-.7V19.6A3.5 3.5 0 0 1 9 16.5z"
          fill="white"
        />
        <circle cx="13" cy="14" r="1.5" className={classes.tile} />
        <circle cx="19" cy="14" r="1.5" className={classes.tile} />
      </svg>
      Rapport
    </span>
  )
}
