import type { CSSVariablesResolver } from '@mantine/core'

/** Ten shades each, lightest first, for Mantine's own components. Ours use the tokens below. */
export const colors = {
  petrol: [
    '#e8f4f2',
    '#d0e8e5',
    '#a3d3cd',
    '#7cc8be',
    '#4fb0a5',
    '#2c938a',
    '#1b7a71',
    '#0f6b63',
    '#0b544e',
    '#073d39',
  ],
  red: [
    '#fdeeee',
    '#f9dcdc',
    '#f2caca',
    '#ff9492',
    '#e07272',
    '#cf4a4a',
    '#a8323a',
    '#b4232c',
    '#8f1d25',
    '#6d161c',
  ],
  gray: [
    '#f6f8f8',
    '#f1f4f4',
    '#e8edee',
    '#d5dcde',
    '#d5dcde',
    '#9ca8ae',
    '#616d74',
    '#4f5b63',
    '#38434a',
    '#1d262b',
  ],
  dark: [
    '#e5e9eb',
    '#c3cbcf',
    '#9aa6ad',
    '#8d999f',
    '#353d41',
    '#262d30',
    '#1a1f21',
    '#131617',
    '#0f1213',
    '#0b0d0e',
  ],
} as const

/** Light and dark value. Text has a contrast of 4.5:1 on every surface, meaningful marks and edges 3:1. */
const tokens = {
  '--bg': ['#ffffff', '#131617'],
  '--surface-side': ['#f6f8f8', '#0f1213'],
  '--surface-sunk': ['#f6f8f8', '#171b1c'],
  '--surface-raised': ['#ffffff', '#1a1f21'],
  '--surface-hover': ['#f1f4f4', '#1d2224'],
  '--surface-nav': ['#e9eeee', '#1f2527'],
  '--surface-picked': ['#e8f4f2', '#15302e'],
  /** The hovered item of a menu. */
  '--surface-pointed': ['#e9eeee', '#262d30'],
  /** The bar that floats over a list: dark in both. */
  '--surface-float': ['#1d262b', '#2a3134'],

  '--text': ['#182125', '#e5e9eb'],
  '--text-2': ['#4f5b63', '#9aa6ad'],
  '--text-3': ['#616d74', '#8d999f'],
  '--on-fill': ['#ffffff', '#ffffff'],

  '--line': ['#e8edee', '#23292b'],
  '--line-strong': ['#d5dcde', '#353d41'],
  '--edge': ['#8a969c', '#656f75'],
  '--skeleton': ['#eaefef', '#22282a'],

  '--accent': ['#0f6b63', '#4fb0a5'],
  '--accent-fill': ['#0f6b63', '#1b7a71'],
  '--accent-text': ['#0b5c55', '#7cc8be'],
  '--accent-mid': ['#7cc8be', '#2c6d66'],
  '--accent-line': ['#a3d3cd', '#25564f'],

  '--warn': ['#8a5300', '#e0b05c'],
  '--warn-soft': ['#fdf6e6', '#29220f'],
  '--warn-line': ['#f0dfb8', '#473a1a'],
  '--warn-fill': ['#8a5300', '#8a5300'],
  '--warn-mark': ['#c27c0e', '#d79a35'],
  '--bad': ['#b4232c', '#ff9492'],
  '--bad-soft': ['#fdeeee', '#321c1d'],
  '--bad-line': ['#f2caca', '#57292b'],
  '--bad-fill': ['#b4232c', '#a8323a'],
  '--ok': ['#1f7a3d', '#6cc48a'],
  '--ok-soft': ['#e9f5ec', '#16281c'],
  '--ok-fill': ['#1f7a3d', '#257a3c'],
  '--ok-line': ['#bfe0c9', '#254a31'],

  /** Shades of the accent: later steps are stronger. */
  '--step-1': ['#a3d3cd', '#2c6d66'],
  '--step-2': ['#7cc8be', '#2c857c'],
  '--step-3': ['#2c938a', '#4fb0a5'],
  '--step-4': ['#0f6b63', '#7cc8be'],
  '--step-5': ['#073d39', '#d0e8e5'],

  '--shadow-float': [
    '0 1px 2px rgb(16 28 32 / 6%), 0 8px 24px rgb(16 28 32 / 10%)',
    '0 1px 2px rgb(0 0 0 / 30%), 0 8px 24px rgb(0 0 0 / 40%)',
  ],
} as const

/** Text, line and background colours of Mantine's own components. */
const ofMantine = {
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-body': 'var(--bg)',
  '--mantine-color-dimmed': 'var(--text-2)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-default': 'var(--surface-raised)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-default-hover': 'var(--surface-hover)',
  '--mantine-color-gray-light': 'var(--surface-hover)',
  '--mantine-color-gray-light-hover': 'var(--surface-nav)',
  '--mantine-color-gray-light-color': 'var(--text-2)',
  '--mantine-color-petrol-light': 'var(--surface-picked)',
  '--mantine-color-petrol-light-hover': 'var(--surface-picked)',
  '--mantine-color-petrol-light-color': 'var(--accent-text)',
  '--mantine-color-red-light-color': 'var(--bad)',
}

/** For places without CSS variables, such as an email preview. */
export const tokenOf = (name: keyof typeof tokens, dark: boolean): string => tokens[name][dark ? 1 : 0]

const inScheme = (dark: boolean) => ({
  ...Object.fromEntries(Object.entries(tokens).map(([name, pair]) => [name, pair[dark ? 1 : 0]])),
  ...ofMantine,
})

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: inScheme(false),
  dark: inScheme(true),
})
