mod impact;
mod meshes;
