// Pairs of triangles of a surface that meet, by CGAL: self_intersections, exact predicates.
// usage: cgal_self MESH
//   MESH     u64 vertices, u64 triangles, vertices × 3 f64, triangles × 3 u32
// Prints the least CPU seconds of three runs, and the number of pairs.
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Polygon_mesh_processing/self_intersections.h>
#include <CGAL/Surface_mesh.h>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <utility>
#include <vector>

typedef CGAL::Exact_predicates_inexact_constructions_kernel Kernel;
typedef CGAL::Surface_mesh<Kernel::Point_3> Mesh;

template <class T> std::vector<T> take(std::ifstream& in, std::size_t count) {
  std::vector<T> values(count);
  in.read(reinterpret_cast<char*>(values.data()), count * sizeof(T));
  return values;
}

double seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

int main(int, char** argument) {
  std::ifstream file(argument[1], std::ios::binary);
  const auto counts = take<std::uint64_t>(file, 2);
  const auto coordinates = take<double>(file, 3 * counts[0]);
  const auto corners = take<std::uint32_t>(file, 3 * counts[1]);
  Mesh mesh;
  for (std::size_t i = 0; i < coordinates.size(); i += 3)
    mesh.add_vertex(Kernel::Point_3(coordinates[i], coordinates[i + 1], coordinates[i + 2]));
  for (std::size_t i = 0; i < corners.size(); i += 3)
    mesh.add_face(Mesh::Vertex_index(corners[i]), Mesh::Vertex_index(corners[i + 1]), Mesh::Vertex_index(corners[i + 2]));

  double best = 1e300;
  std::size_t found = 0;
  for (int run = 0; run < 3; ++run) {
    std::vector<std::pair<Mesh::Face_index, Mesh::Face_index>> pairs;
    const double start = seconds();
    CGAL::Polygon_mesh_processing::self_intersections(mesh, std::back_inserter(pairs));
    best = std::min(best, seconds() - start);
    found = pairs.size();
  }
  std::printf("%.6f %zu\n", best, found);
}
