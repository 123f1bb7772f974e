/// <reference lib="es2024.string" />
