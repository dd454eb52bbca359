/** An invalid configuration value: one line that names the variable and the fix. */
export class ConfigError extends Error {}
